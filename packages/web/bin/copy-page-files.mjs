#!/usr/bin/env node
// Copies the scripts and styles of pages from one folder to another and makes them smaller: without comments, and with
// short names inside of functions. Usage: copy-page-files.mjs FROM TO
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { build, minifySync, transformWithOxc } from 'vite'

const [from, to] = process.argv.slice(2).map((dir) => resolve(dir))
const named = (ending) => readdirSync(from).filter((name) => name.endsWith(ending))

for (const name of named('.mjs')) {
  const script = shrink(name, readFileSync(join(from, name), 'utf8'))
  await refuseNewer(name, script)
  writeFileSync(join(to, name), script)
}
const styles = named('.css')
if (styles.length > 0) await shrinkStyles(styles)

/**
 * A service joins several files to one module by removing their lines of import and export. So whitespace is kept,
 * which leaves each import and export on a separate line, and names at the top level are not shortened.
 */
function shrink(name, source) {
  const { code, errors } = minifySync(name, source, {
    module: true,
    compress: { target: 'es2020', unused: false },
    mangle: { toplevel: false },
    codegen: { removeWhitespace: false, legalComments: 'none' },
  })
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(String).join('; ')}`)
  return code
}

/**
 * Refuses a script with syntax newer than ES2020. Payers have phones of 2020, and a browser that cannot parse one
 * operator runs nothing of the script.
 */
async function refuseNewer(name, script) {
  const written = (target) => transformWithOxc(script, name, { target, sourcemap: false })
  const [asIs, lowered] = await Promise.all([written('esnext'), written('es2020')])
  if (asIs.code !== lowered.code) throw new Error(`${name}: has syntax that is newer than ES2020`)
}

async function shrinkStyles(names) {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: from,
    build: {
      outDir: to,
      emptyOutDir: false,
      // The minifier must not shorten styles to syntax that these browsers do not know.
      cssTarget: ['chrome79', 'firefox75', 'safari13'],
      cssMinify: 'lightningcss',
      rolldownOptions: {
        input: names.map((name) => join(from, name)),
        output: { assetFileNames: '[name][extname]' },
      },
    },
  })
}
