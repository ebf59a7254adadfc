import { brotliCompressSync, constants } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** Beside every script and style the same compressed as well as it can be, for browsers that take it. */
const packed: Plugin = {
  name: 'packed',
  apply: 'build',
  enforce: 'post',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (!/\.(js|css)$/.test(file.fileName)) continue
      const text = file.type === 'chunk' ? file.code : file.source
      const source = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
      this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source })
    }
  },
}

// The page is served by the table's server, from the same origin as its API.
export default defineConfig({
  plugins: [svelte(), packed],
  build: {
    outDir: '../src/kessel/table/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8123', ws: true } } },
  test: { include: ['tests/**/*.test.ts'] },
})
