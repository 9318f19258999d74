import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import process from 'node:process'

const browserTest = '.e2e.test.ts'

/**
 * Returns which tests Jest runs for a path: those of a source file, those in a test file, or those below a folder.
 * Browser tests need a build; all other tests compile the sources themselves.
 *
 * @param {string} path of a shell in `cwd`
 * @param {{ cwd: string, repositoryDir: string }} places
 * @returns {{ pattern: string, needsBuild: boolean }} a regular expression of a test file's path
 * @throws {Error} when the path is outside the repository or names nothing
 */
export function testsOf(path, { cwd, repositoryDir }) {
  const file = resolve(cwd, path)
  const inside = relative(repositoryDir, file)
  if (inside.startsWith('..')) throw new Error(`${path} is outside of the repository`)
  if (!existsSync(file)) throw new Error(`There is no ${path}`)
  const escaped = file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  if (statSync(file).isDirectory()) {
    const below = readdirSync(file, { recursive: true, encoding: 'utf8' })
    return { pattern: `^${escaped}/`, needsBuild: below.some((name) => name.endsWith(browserTest)) }
  }
  if (inside.endsWith('.test.ts')) {
    return { pattern: `^${escaped}$`, needsBuild: inside.endsWith(browserTest) }
  }
  // The tests of `x.ts` are `x.test.ts`, `x.db.test.ts` and so on.
  const pattern = `^${escaped.replace(/\\\.[a-z]+$/, '')}\\.[a-z.]*test\\.ts$`
  return { pattern, needsBuild: existsSync(file.replace(/\.[a-z]+$/, browserTest)) }
}

/**
 * Runs the tests of some files, with what they need started for them, and shows Jest's own report.
 *
 * @param {readonly string[]} patterns
 * @param {{ repositoryDir: string, name?: string | undefined }} options `name`: only tests whose name this expression
 *   finds
 * @returns {Promise<number>} the status to exit with
 */
export function runFiles(patterns, { repositoryDir, name }) {
  const jest = join(repositoryDir, 'node_modules/jest/bin/jest.js')
  const named = name === undefined ? [] : ['--testNamePattern', name]
  const env = { ...process.env }
  // Tests must not use the databases that the shell names.
  delete env.DATABASE_URL
  delete env.REDIS_URL
  const args = ['--max-semi-space-size=32', jest, ...named, '--testPathPatterns', ...patterns]
  const child = spawn(process.execPath, args, { cwd: repositoryDir, env, stdio: 'inherit' })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('exit', (code) => done(code ?? 1))
  })
}
