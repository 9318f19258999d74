// Loaded with --require: TypeScript of this repository runs from its sources, without a build.
const { createHash, randomUUID } = require('node:crypto')
const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} = require('node:fs')
const { enableCompileCache } = require('node:module')
const { dirname, join } = require('node:path')
const process = require('node:process')

// True when Node's watch mode runs this process. It learns of each imported file by a message.
const isWatched = process.env.WATCH_REPORT_DEPENDENCIES && process.send !== undefined

if (isWatched) {
  // Installed packages are left out: pnpm hard-links them, so an install elsewhere on this machine would restart all.
  const send = process.send.bind(process)
  process.send = (message, ...rest) => {
    const imported = message?.['watch:require'] ?? message?.['watch:import']
    if (imported?.every((file) => file === undefined || file.includes('/node_modules/')))
      return true
    return send(message, ...rest)
  }
}

// Ten processes start again after an edit of the kernel; with this cache an edited file is transformed once for all.
const cacheDir = join(__dirname, '../../../node_modules/.cache/run-from-source')
mkdirSync(cacheDir, { recursive: true })
// Node 20 has no compile cache; from 22 on it saves a fifth of a start.
enableCompileCache?.(join(cacheDir, 'compiled'))
const transformer = [readFileSync(__filename), require('@swc/core/package.json').version]

require.extensions['.ts'] = (module, filename) => {
  module._compile(transform(readFileSync(filename, 'utf8'), filename), filename)
}

/**
 * Returns the JavaScript of a source. The cache has one file for each source: the digest of its last text, and then the
 * JavaScript of that text.
 */
function transform(source, filename) {
  const digest = digestOf(...transformer, source)
  const cached = join(cacheDir, `${digestOf(filename)}.js`)
  const kept = existsSync(cached) ? readFileSync(cached, 'utf8') : ''
  if (kept.startsWith(digest)) return kept.slice(digest.length)
  const { transformSync } = require('@swc/core')
  const { code } = transformSync(source, {
    filename,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  })
  // Another process may read the file at the same moment. A rename shows it whole or not at all.
  const written = `${cached}.${randomUUID()}`
  writeFileSync(written, digest + code)
  renameSync(written, cached)
  return code
}

function digestOf(...parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

// A service also reads styles and scripts when it starts, so an edit of them restarts it too.
if (isWatched && process.argv[1]?.endsWith('main.ts')) {
  const sources = dirname(process.argv[1])
  const read = readdirSync(sources, { recursive: true }).filter((file) =>
    /\.(?:css|lua|mjs)$/.test(file),
  )
  process.send({ 'watch:require': read.map((file) => join(sources, file)) })
}
