// What a screen reader is told, besides what has the focus.
export const spokenNow = $state({ polite: '', urgent: '' })

let timer = 0
const waiting: string[] = []

export function say(text: string, urgent = false): void {
  if (urgent) {
    spokenNow.urgent = ''
    setTimeout(() => (spokenNow.urgent = text), 30)
    return
  }
  waiting.push(text)
  clearTimeout(timer)
  timer = window.setTimeout(() => {
    spokenNow.polite = waiting.splice(0).join(' ')
  }, 120)
}
