#!/usr/bin/env node
// `npm create malipo-app`: a shop to begin with, copied from a template.
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const templatesDir = join(dirname(fileURLToPath(import.meta.url)), '../templates')
const templates = readdirSync(templatesDir).sort()

const help = `Usage: npm create malipo-app [-- DIR --template NAME]

Writes a small shop into DIR (malipo-shop unless given): a page with a button, a checkout at Malipo, a webhook that delivers an order once,
and a page for payers who come back. An existing folder must be empty.

  --template NAME   ${templates.join(', ')}; express unless given
  --help            this text
`

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

const { values, positionals } = parse()
if (values.help) {
  process.stdout.write(help)
  process.exit()
}
const { template } = values
if (!templates.includes(template)) fail(`--template is one of ${templates.join(', ')}`)
// Without `--` npm keeps a flag as an option of npm, and passes the value of the flag on as one more folder.
if (positionals.length > 1)
  fail('Name one folder, and flags behind --: npm create malipo-app my-shop -- --template nextjs')
const [name = 'malipo-shop'] = positionals
const dir = resolve(name)
if (existsSync(dir) && readdirSync(dir).length > 0) fail(`${dir} is not empty: name another folder`)

// In the repository of Malipo the SDKs lie beside this package, and need not be published.
const packagesDir = resolve(templatesDir, '../..')
const isInRepository = existsSync(join(packagesDir, 'sdk/package.json'))
if (isInRepository && !existsSync(join(packagesDir, 'sdk/dist')))
  fail('First run npm start in the repository: it builds the SDK')

cpSync(join(templatesDir, template), dir, { recursive: true })
// npm leaves a file named `.gitignore` out of a package, so the template has it without the dot.
renameSync(join(dir, 'gitignore'), join(dir, '.gitignore'))
if (isInRepository) useRepository()
process.stdout.write(`A shop is in ${dir}. Next:\n\n  cd ${name}\n${stepsOf(dir)}`)

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        template: { type: 'string', default: 'express' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return fail(`${error.message}\n\n${help}`)
  }
}

/** Makes the new shop depend on the SDKs of the repository. */
function useRepository() {
  const [node, python, php] = ['sdk', 'sdk-python', 'sdk-php'].map((name) =>
    join(packagesDir, name),
  )
  change('package.json', (text) => text.replace('"^0.1.0"', () => JSON.stringify(`file:${node}`)))
  // npm then copies the SDK instead of linking to it: Next.js follows no symlink that leaves its root.
  if (existsSync(join(dir, 'package.json')))
    writeFileSync(join(dir, '.npmrc'), 'install-links=true\n')
  // A path replaces the line that names the SDK, because pip would fetch whatever has that name on PyPI.
  change(
    'requirements.txt',
    (text) => `${text.replace(/^.*(?:malipo|sdk-python).*\n/gm, '')}${python}\n`,
  )
  change('composer.json', (text) => {
    const repositories = [{ type: 'path', url: php }]
    return `${JSON.stringify({ ...JSON.parse(text), repositories }, null, 2)}\n`
  })
  change('README.md', (text) => text.replaceAll('…/packages/', () => `${packagesDir}${sep}`))
}

function change(name, by) {
  const file = join(dir, name)
  if (existsSync(file)) writeFileSync(file, by(readFileSync(file, 'utf8')))
}

/** The commands that the README of the template begins with. */
function stepsOf(folder) {
  const [, steps = ''] =
    /^```\n(.*?)^```$/ms.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? []
  return steps.replaceAll(/^/gm, '  ').trimEnd() + '\n'
}
