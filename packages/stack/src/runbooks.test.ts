import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryDir } from './migrate'

const dir = join(repositoryDir, 'docs/runbooks')
const pages = readdirSync(dir).filter((name) => name.endsWith('.md'))
const scripts = (
  JSON.parse(readFileSync(join(repositoryDir, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
).scripts

/** Each command of npm that a page names, as `[page, script, its words]`. */
const commands = pages.flatMap((page) => {
  const text = readFileSync(join(dir, page), 'utf8')
  const named = [...text.matchAll(/`npm (?:run )?([a-z-]+)(?: -- ([^`]+))?`/g)]
  return named.map(([, script = '', words = '']) => [page, script, words] as const)
})
const helps = new Map<string, string>()

/** What a script prints when it is asked for help, with or without the first words of a command. */
function helpOf(script: string, requests: readonly string[] = []): string {
  const key = [script, ...requests].join(' ')
  const [, ...file] = scripts[script]?.replace(/^exec /, '').split(' ') ?? []
  const given = { cwd: repositoryDir, encoding: 'utf8' } as const
  const text =
    helps.get(key) ?? execFileSync(process.execPath, [...file, ...requests, '--help'], given)
  helps.set(key, text)
  return text
}

test('more than 50 commands are found in the pages, so that the next test is not empty', () => {
  expect(commands.length).toBeGreaterThan(50)
})

test.each(commands)('%s: npm run %s %s is a command with known options', (_, script, words) => {
  expect(scripts).toHaveProperty(script)
  const isOperate = scripts[script]?.includes('operate.mjs') === true
  const all = helpOf(isOperate ? 'operate' : script)
  for (const option of words.match(/--[a-z-]+/g) ?? []) expect(all).toContain(option)
  const answer = /^[a-z]+(?: [a-z][a-z-]*)?/.exec(words)?.[0].split(' ') ?? []
  // For an unknown command the whole help is printed.
  if (script === 'operate' && answer.length > 0) expect(helpOf(script, answer)).not.toBe(all)
})

/** The texts after `log:` on a page, as `[page, text]`; what is named with "as" is a field. */
const logged = pages.flatMap((page) =>
  readFileSync(join(dir, page), 'utf8')
    .split('\n')
    .filter((line) => /\blog(?: of the ledgers)?: /.test(line))
    .flatMap((line) => [...line.matchAll(/(?<!\bas )`([a-z]+(?:;? [a-z]+)*)`/g)])
    .map(([, text = '']) => [page, text] as const),
)

function readSources(): string {
  const folders = ['packages', 'services'].flatMap((kind) =>
    readdirSync(join(repositoryDir, kind)).map((name) => join(repositoryDir, kind, name, 'src')),
  )
  const files = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /^[^.]+\.ts$/.test(name) && !name.includes('generated'))
        .map((name) => join(folder, name)),
    )
  return files.map((file) => readFileSync(file, 'utf8')).join('\n')
}

test('each log line that a page names is written by a process', () => {
  const sources = readSources()
  // A repeated work is logged as `could not ${what}`.
  const isWritten = (text: string) =>
    new RegExp(`['" ](?:${text}|${text.replace('could not ', '')})['";]`).test(sources)
  expect(logged.length).toBeGreaterThan(10)
  expect(logged.filter(([, text]) => !isWritten(text))).toEqual([])
})
