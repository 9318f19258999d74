import type { KeyServiceServer } from '@malipo/contracts/proto/keys/v1/key_service'
import type { Callers } from '@malipo/runtime/caller-identity'

/** The permitted callers of each method. Keys are made and revoked through auth only, for signed-in owners. */
export const keyCallers: Callers<KeyServiceServer> = {
  createKey: ['auth'],
  revokeKey: ['auth'],
  listKeys: ['auth'],
  verifyKey: ['gateway-ke', 'gateway-ug'],
}
