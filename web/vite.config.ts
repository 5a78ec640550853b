import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [svelte()],
  build: {
    // The server serves what is there.
    outDir: '../src/sandtable/server/static',
    emptyOutDir: true,
    target: 'es2022',
  },
  server: {
    // `npm run dev` beside a running `sandtable serve`.
    fs: { allow: ['..'] }, // the vocabulary that the kernel has too
    proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } },
  },
})
