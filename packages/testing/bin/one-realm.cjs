const vm = require('node:vm')
const { ModernFakeTimers } = require('@jest/fake-timers')
const { TestEnvironment } = require('jest-environment-node')

/**
 * Globals of jest-circus that are deleted after each file. A timeout or a number of retries would apply to the next
 * file too. The state has a new symbol in each file, and would keep the modules of all files in memory: 20 MB for a
 * file with a service.
 */
const ownOfFile = ['EVENT_HANDLERS', 'JEST_STATE_SYMBOL', 'RETRY_TIMES', 'TEST_TIMEOUT_SYMBOL']

const contexts = new WeakSet()
/** The modules that earlier test files have compiled, by file name. */
const compiled = new Map()
const { compileFunction } = vm

/**
 * All test files share Node's globals, so a function compiled for one file can be called for the next, and stays
 * optimised.
 */
vm.compileFunction = (code, parameters, options) => {
  if (!contexts.has(options?.parsingContext)) return compileFunction(code, parameters, options)
  const { filename } = options
  const known = compiled.get(filename)
  if (known?.code === code) return known.run
  // Jest's callback for import() is left out: it would keep all modules of this file, and import() is compiled to
  // require().
  const run = compileFunction(code, parameters, { filename })
  if (!filename.endsWith('.test.ts')) compiled.set(filename, { code, run })
  return run
}

const listenersOf = (emitter) =>
  emitter
    .eventNames()
    .flatMap((event) => emitter.rawListeners(event).map((listener) => [event, listener]))

/**
 * Jest's environment for Node, except that tests share Node's own globals: an error of a package that the worker has
 * loaded already (`shared-packages.cjs`) is an instance of their `Error`. Each file starts with the same environment
 * variables.
 */
module.exports = class OneRealm extends TestEnvironment {
  #variables = { ...process.env }
  #process = { exit: process.exit, getBuiltinModule: process.getBuiltinModule }
  #console = globalThis.console
  #listeners = listenersOf(process)

  constructor(config, context) {
    super(config, context)
    contexts.add(this.context)
    this.global = globalThis
    this.fakeTimersModern = new ModernFakeTimers({
      config: config.projectConfig,
      global: globalThis,
    })
  }

  async teardown() {
    await super.teardown()
    for (const name of Object.keys(process.env))
      if (!(name in this.#variables)) delete process.env[name]
    Object.assign(process.env, this.#variables)
    // A listener of the process, such as that of the log for `exit`, would keep all modules of its file in memory.
    for (const [event, listener] of listenersOf(process))
      if (!this.#listeners.some(([, known]) => known === listener)) process.off(event, listener)
    // Jest replaces these functions in each file. Each replacement would keep the one before it, with all modules of
    // that file.
    Object.assign(process, this.#process)
    // Jest's warnings about the whole run must not go to the console of an ended file, where a warning is a failure.
    globalThis.console = this.#console
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (ownOfFile.includes(symbol.description)) delete globalThis[symbol]
    this.global = null
  }
}
