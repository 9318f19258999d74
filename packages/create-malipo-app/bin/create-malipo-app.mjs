#!/usr/bin/env node
// `npm create malipo-app`: a shop to begin with, copied from a template.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
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
if (positionals.length > 1) fail('Name one folder: npm create malipo-app my-shop')
const [name = 'malipo-shop'] = positionals
const dir = resolve(name)
if (existsSync(dir) && readdirSync(dir).length > 0) fail(`${dir} is not empty: name another folder`)

cpSync(join(templatesDir, template), dir, { recursive: true })
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

/** The commands that the README of the template begins with. */
function stepsOf(folder) {
  const [, steps = ''] =
    /^```\n(.*?)^```$/ms.exec(readFileSync(join(folder, 'README.md'), 'utf8')) ?? []
  return steps.replaceAll(/^/gm, '  ').trimEnd() + '\n'
}
