import { join } from 'node:path'

/**
 * The folder of installed packages with the tools that generate clients from an OpenAPI document, with what those
 * clients import, and with Postman's runner. The tools need an older TypeScript, because version 7 lacks the API by
 * which they write code. This package can depend on the older one, because it is not built.
 */
export const clientGeneratorsDir = join(__dirname, '../node_modules')
