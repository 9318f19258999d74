import { join } from 'node:path'

/**
 * The packages of tools that generate clients from an OpenAPI document, of what those clients import, and of Postman's runner. They are dependencies of this
 * package, because they write with an API that TypeScript 7 does not have and this one builds with none.
 */
export const clientGeneratorsDir = join(__dirname, '../node_modules')
