// Reads an OpenAPI document from stdin, and says as JSON whether it is one. A separate program, because the linter is
// a module that the tests cannot load.
import { json } from 'node:stream/consumers'
import { Validator } from '@seriousme/openapi-schema-validator'

const { valid, errors } = await new Validator().validate(await json(process.stdin))
process.stdout.write(JSON.stringify({ valid, errors }))
