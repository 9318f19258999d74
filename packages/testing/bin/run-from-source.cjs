// Loaded with --require: TypeScript of this repository runs from its sources, without a build.
const { readdirSync, readFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const process = require('node:process')

// Node's watch mode learns of each imported file by such a message.
const isWatched = process.env.WATCH_REPORT_DEPENDENCIES && process.send !== undefined

if (isWatched) {
  // Installed packages are left out: pnpm's are hard links, so an install anywhere on this machine would restart everything.
  const send = process.send.bind(process)
  process.send = (message, ...rest) => {
    const imported = message?.['watch:require'] ?? message?.['watch:import']
    if (imported?.every((file) => file === undefined || file.includes('/node_modules/')))
      return true
    return send(message, ...rest)
  }
}

const { transformSync } = require('@swc/core')

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  })
  module._compile(code, filename)
}

// A service also reads styles and scripts when it starts.
if (isWatched && process.argv[1]?.endsWith('main.ts')) {
  const sources = dirname(process.argv[1])
  const read = readdirSync(sources, { recursive: true }).filter((file) =>
    /\.(?:css|lua|mjs)$/.test(file),
  )
  process.send({ 'watch:require': read.map((file) => join(sources, file)) })
}
