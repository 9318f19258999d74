const { createRequire } = require('node:module')
const { default: Runtime } = require('jest-runtime')

/**
 * Packages without state that one test file could leave to the next. prom-client and nock are left out: the registry of
 * the first belongs to one service, and the second must see the requests of one file only.
 */
const shared =
  /^(?:@bufbuild|@grpc|@node-rs|@opentelemetry|@prisma|ajv|axe-core|bullmq|compression|csv-stringify|express|fast-check|grpc-health-check|helmet|ioredis|kubernetes-models|libphonenumber-js|lru-cache|oidc-provider|openid-client|pg|pino|playwright-core|typescript|uqr|yaml|zod)(?:\/.*)?$/

/**
 * Jest's module loader, except that a worker loads these packages once instead of once a test file: a test file with a
 * gateway spent 0.7 s of processor time on them, and their code stays compiled. Our own modules are new in each file.
 */
module.exports = class SharedPackages extends Runtime {
  #storages = []
  #observers = []

  requireModule(from, moduleName, options, isRequireActual) {
    const ours = !options?.isInternalModule && !from.includes('/node_modules/')
    if (ours && shared.test(moduleName ?? '')) return createRequire(from)(moduleName)
    const exports = super.requireModule(from, moduleName, options, isRequireActual)
    if (ours && moduleName === 'node:async_hooks') return this.#ending(exports)
    return moduleName === 'perf_hooks' ? this.#disconnecting(exports) : exports
  }

  /**
   * Remembers each storage, to disable it after its file: Node informs every storage of each promise, which slowed
   * later files.
   */
  #ending(exports) {
    const storages = this.#storages
    class AsyncLocalStorage extends exports.AsyncLocalStorage {
      constructor(...given) {
        super(...given)
        storages.push(this)
      }
    }
    return { ...exports, AsyncLocalStorage }
  }

  /**
   * Remembers each observer, to disconnect it after its file: Node would keep it, and with that of prom-client all
   * metrics.
   */
  #disconnecting(exports) {
    const observers = this.#observers
    class PerformanceObserver extends exports.PerformanceObserver {
      constructor(...given) {
        super(...given)
        observers.push(this)
      }
    }
    return { ...exports, PerformanceObserver }
  }

  teardown() {
    for (const observer of this.#observers) observer.disconnect()
    for (const storage of this.#storages) storage.disable()
    super.teardown()
  }
}
