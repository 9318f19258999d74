import { join } from 'node:path'
import { readdirSync } from 'node:fs'
import { loadSync } from '@grpc/proto-loader'
import { repositoryDir } from '@malipo/stack/migrate'

/** A method of a service in `proto/`. */
export interface ProtoMethod {
  readonly service: string
  /** Its name in the generated code: `createKey`. */
  readonly method: string
  /** Its full gRPC path. */
  readonly path: string
}

/** Every method of every service, read from `proto/` itself and not from what was generated. */
export function protoMethods(): ProtoMethod[] {
  const protoDir = join(repositoryDir, 'proto')
  const files = readdirSync(protoDir, { recursive: true, encoding: 'utf8' })
  const protos = files.filter((name) => name.endsWith('.proto'))
  const loaded = Object.entries(loadSync(protos, { includeDirs: [protoDir] }))
  return loaded.flatMap(([name, service]) =>
    'format' in service
      ? []
      : Object.entries(service).map(([method, { path }]) => ({
          service: name.slice(name.lastIndexOf('.') + 1),
          method: method.charAt(0).toLowerCase() + method.slice(1),
          path,
        })),
  )
}
