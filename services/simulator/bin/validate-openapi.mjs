#!/usr/bin/env node
// Checks an OpenAPI document with two independent validators. Exits with 1 when either of them refuses it.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { compileErrors, validate } from '@readme/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'

const [file] = process.argv.slice(2)
if (file === undefined || file === '--help') {
  process.stdout.write('Usage: node bin/validate-openapi.mjs FILE\n')
  process.exit(file === undefined ? 2 : 0)
}
const text = readFileSync(file, 'utf8')
const verdicts = {
  async seriousme() {
    const { valid, errors } = await new Validator().validate(JSON.parse(text))
    return valid ? undefined : JSON.stringify(errors)
  },
  async readme() {
    const result = await validate(JSON.parse(text))
    return result.valid ? undefined : compileErrors(result)
  },
}
for (const [name, judge] of Object.entries(verdicts)) {
  const problem = await judge()
  process.stdout.write(`${name}: ${problem ?? 'valid'}\n`)
  if (problem !== undefined) process.exitCode = 1
}
