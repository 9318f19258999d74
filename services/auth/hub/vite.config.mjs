import { defineConfig } from 'vite'

// Builds the hub as static files, which `src/hub-server/hub-files.ts` serves under /hub.
export default defineConfig({
  root: import.meta.dirname,
  base: '/hub/',
  resolve: { conditions: ['@malipo/source', 'module', 'browser'] },
  build: {
    outDir: '../dist/hub',
    emptyOutDir: true,
    // One bundle, so preloading is unnecessary; and no inlined assets, because the content policy forbids them.
    modulePreload: false,
    assetsInlineLimit: 0,
    target: 'es2022',
  },
})
