#!/usr/bin/env node
// Bundles the simulator and all that it needs into one file, and packs that as an npm package without dependencies.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { pack } from './pack.mjs'
import { repositoryDir } from './set-up.mjs'

const service = join(repositoryDir, 'services/simulator')

await pack('simulator', async (stageDir) => {
  await bundle(stageDir)
  copyFiles(stageDir)
})

/** The bundle is CommonJS, as our packages are: they find the files beside them by `__dirname`. */
async function bundle(stageDir) {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: repositoryDir,
    ssr: { noExternal: true },
    build: {
      ssr: 'packages/stack/bin/simulator.mjs',
      outDir: stageDir,
      emptyOutDir: true,
      target: 'node20',
      rolldownOptions: {
        output: {
          format: 'cjs',
          entryFileNames: 'simulator.cjs',
          codeSplitting: false,
          banner: '#!/usr/bin/env node',
        },
      },
    },
  })
}

/** Copies the files that the program reads beside itself, and the README and manifest of the npm package. */
function copyFiles(stageDir) {
  const pages = join(service, 'dist/pages')
  const styles = join(repositoryDir, 'packages/web/dist')
  for (const dir of [pages, styles])
    for (const name of readdirSync(dir))
      if (/\.(css|client\.mjs)$/.test(name)) cpSync(join(dir, name), join(stageDir, name))
  cpSync(join(service, 'scenarios'), join(stageDir, 'scenarios'), { recursive: true })
  cpSync(join(service, 'npm-readme.md'), join(stageDir, 'README.md'))
  const { name, version, description, engines } = JSON.parse(
    readFileSync(join(service, 'package.json')),
  )
  const bin = { 'malipo-simulator': 'simulator.cjs' }
  writeFileSync(
    join(stageDir, 'package.json'),
    JSON.stringify({ name, version, description, bin, engines }, undefined, 2),
  )
}
