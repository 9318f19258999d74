import { loadSync } from '@grpc/proto-loader'
import type { Rule, SourceFile } from './source-tree'

/** The methods of every service in `protoDir`, in file-name form: `CreateCheckout` -> `create-checkout`. */
export function readOperations(protoDir: string, files: readonly SourceFile[]): string[] {
  const protos = files
    .map(({ path }) => path)
    .filter((path) => path.startsWith('proto/') && path.endsWith('.proto'))
    // The service of proto/calls/ carries the calls of all others, and adds no operation.
    .filter((path) => !path.startsWith('proto/calls/'))
    .map((path) => path.slice('proto/'.length))
  const services = Object.values(loadSync(protos, { includeDirs: [protoDir] }))
  return services.flatMap((service) =>
    'format' in service ? [] : Object.keys(service).map(kebabOf),
  )
}

function kebabOf(method: string): string {
  return method.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()
}

/** Each operation has one file and one test file beside it, both named for it, flat in the folder of a feature. */
export function everyOperationHasItsFiles(operations: readonly string[]): Rule {
  return (files) => {
    const paths = files.map(({ path }) => path)
    const missing = (operation: string, ending: string) =>
      !paths.some((path) =>
        new RegExp(`^services/[^/]+/src/[^/]+/${operation}${ending}$`).test(path),
      )
    return operations.flatMap((operation) => [
      ...(missing(operation, '\\.ts') ? [`${operation}.ts: the method has no file`] : []),
      ...(missing(operation, '(?:\\.db)?\\.test\\.ts')
        ? [`${operation}.test.ts: the method has no test`]
        : []),
    ])
  }
}
