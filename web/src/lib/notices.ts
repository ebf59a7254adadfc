// Telling a person that it is their turn: the page's title and icon always, a notice where the browser may show one.
const KEY = 'kessel.notices'
const WORKER = '/sw.js'

export const canNotify = (): boolean => 'Notification' in window && 'serviceWorker' in navigator
export const notifies = (): boolean => canNotify() && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on'

/** Asks for leave; only in answer to a click. Says whether notices come from now on. */
export async function askForNotices(): Promise<boolean> {
  if (!canNotify() || (await Notification.requestPermission()) !== 'granted') return false
  await navigator.serviceWorker.register(WORKER)
  localStorage.setItem(KEY, 'on')
  return true
}

export function noMoreNotices(): void {
  localStorage.setItem(KEY, 'off')
}

/** One notice a table: a later one takes its place. */
export async function notice(table: string, title: string, body: string): Promise<void> {
  if (!notifies() || !document.hidden) return
  await navigator.serviceWorker.register(WORKER)
  const worker = await navigator.serviceWorker.ready
  await worker.showNotification(title, { body, tag: table, icon: '/icon.svg', data: `/table/${table}` })
}

/** The icon has a dot while it is one's turn. */
export function markIcon(turn: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const wanted = turn ? '/icon-turn.svg' : '/icon.svg'
  if (link && link.getAttribute('href') !== wanted) link.setAttribute('href', wanted)
}
