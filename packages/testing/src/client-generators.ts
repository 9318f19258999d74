import { join } from 'node:path'

/**
 * The packages of tools that generate clients from an OpenAPI document, of what those clients import, and of Postman's
 * runner. The tools need an older TypeScript, as 7 lacks the API by which they write. This package can depend on it,
 * because it is not built.
 */
export const clientGeneratorsDir = join(__dirname, '../node_modules')
