const { createRequire } = require('node:module')
const { default: Runtime } = require('jest-runtime')

/**
 * Packages that keep nothing from one use to the next. Not among them: prom-client, whose registry belongs to one
 * service, and nock, which must see the file's own requests only.
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
   * Notes each storage, to be ended with its file: Node passes each promise to every storage, which slowed later files.
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
   * Notes each observer, to be disconnected with its file: Node keeps it, and with prom-client's all that is measured.
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
