import type { StackFile } from '../stack-file'

/** Where a service of a running stack is asked by gRPC: with replicas a list, of which those that are away are skipped. */
export function addressIn({ processes }: Pick<StackFile, 'processes'>, name: string): string {
  const addresses = [name, `${name}-2`].flatMap((each) => processes[each]?.address ?? [])
  return addresses.length > 1 ? `ipv4:${addresses.join()}` : addresses.join()
}
