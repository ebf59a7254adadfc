// Two small sounds, off until a person turns them on.
import { settings } from './settings.svelte'

let audio: AudioContext | null = null

export function chime(what: 'turn' | 'dice'): void {
  if (!settings.sound) return
  audio ??= new AudioContext()
  const notes = what === 'turn' ? [523, 659] : [180, 150, 200]
  notes.forEach((pitch, i) => {
    if (!audio) return
    const at = audio.currentTime + i * (what === 'turn' ? 0.14 : 0.06)
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.type = what === 'turn' ? 'sine' : 'triangle'
    tone.frequency.value = pitch
    volume.gain.setValueAtTime(0.0001, at)
    volume.gain.exponentialRampToValueAtTime(0.12, at + 0.015)
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.13)
    tone.connect(volume).connect(audio.destination)
    tone.start(at)
    tone.stop(at + 0.15)
  })
}
