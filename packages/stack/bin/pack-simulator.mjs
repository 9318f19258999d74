#!/usr/bin/env node
// Bundles the simulator and all that it needs into one file, and packs that as an npm package without dependencies.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { build } from 'vite'
import { repositoryDir, setUp } from './set-up.mjs'

const help = `Usage: npm run pack-simulator [-- --to DIR]

Builds what is missing and writes malipo-simulator-VERSION.tgz, which \`npm install\` and \`npx\` take.
  --to DIR   the folder to write it to; this one unless given
  --help     this text
`
const { values } = parseArgs({
  options: { to: { type: 'string', default: '.' }, help: { type: 'boolean', default: false } },
})
if (values.help) {
  process.stdout.write(help)
  process.exit()
}

const service = join(repositoryDir, 'services/simulator')
const toDir = resolve(process.env.INIT_CWD ?? '.', values.to)

await setUp()
const stageDir = mkdtempSync(join(tmpdir(), 'malipo-simulator-'))
try {
  await bundle()
  copyFiles()
  mkdirSync(toDir, { recursive: true })
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', toDir], {
    cwd: stageDir,
    encoding: 'utf8',
  })
  process.stdout.write(`${join(toDir, packed.trim())}\n`)
} finally {
  rmSync(stageDir, { recursive: true, force: true })
}

/** CommonJS, as our packages are built: they find the files beside them by `__dirname`. */
async function bundle() {
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

/** What the pages read beside the program, and what npm shows. */
function copyFiles() {
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
