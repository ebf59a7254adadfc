import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// The page is served by the table's server, from the same origin as its API.
export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../src/kessel/table/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8123', ws: true } } },
  test: { include: ['tests/**/*.test.ts'] },
})
