import { defineConfig } from 'vite'

// The hub as static files, for `src/pages/hub-files.ts` to serve under /hub.
export default defineConfig({
  root: import.meta.dirname,
  base: '/hub/',
  resolve: { conditions: ['@malipo/source', 'module', 'browser'] },
  build: {
    outDir: '../dist/hub',
    emptyOutDir: true,
    // Nothing is split off, so nothing has to be fetched ahead; and no asset is put into the page, which allows none.
    modulePreload: false,
    assetsInlineLimit: 0,
    target: 'es2022',
  },
})
