// Places in words.
import type { MapSheet } from './map'
import type { TableState } from './table.svelte'
import { describe, spoken } from './text'

/** A hex by number and name. */
export function namePlace(map: MapSheet | null, place: string): string {
  const name = map?.hexes.get(place)?.about.split(/[,;]/)[0] ?? ''
  return /^[A-Z]/.test(name) ? `${name} (${place})` : place
}

/** What is at a place, for the screen reader and the tip. */
export function tellPlace(game: TableState, place: string): string {
  const here = game.stacks.get(place) ?? []
  const marks = (game.table?.markers ?? []).filter((m) => m.place === place).map((m) => m.text || m.kind)
  const owner = game.table?.control[place]
  const about = game.map?.hexes.get(place)?.about
  const parts = [
    game.map?.boxes.has(place) ? spoken(place) : `hex ${place}${about ? `, ${about}` : ''}`,
    ...(owner ? [`held by ${owner}`] : []),
    ...marks,
    ...here.map(describe),
  ]
  const cost = game.ahead.costs.get(place)
  if (game.places.has(place)) parts.push(`can be chosen${cost === undefined ? '' : `, cost ${cost}`}`)
  else if (here.some((p) => game.offer.units.has(p.id))) parts.push('has a unit to choose')
  return parts.join('; ')
}
