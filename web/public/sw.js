// Shows no page and keeps none: it is here for notices, which most browsers show through a service worker alone.
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const path = event.notification.data
  event.waitUntil(
    clients.matchAll({ type: 'window', includeUncontrolled: true }).then((open) => {
      const found = open.find((c) => new URL(c.url).pathname === path)
      return found ? found.focus() : clients.openWindow(path)
    }),
  )
})
