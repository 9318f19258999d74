import type { KeyServiceServer } from '@malipo/contracts/proto/keys/v1/key_service'
import type { Callers } from '@malipo/runtime/caller-identity'

/** Who may call what in the key service. Keys are made and revoked for signed-in owners only, through auth. */
export const keyCallers: Callers<KeyServiceServer> = {
  createKey: ['auth'],
  revokeKey: ['auth'],
  listKeys: ['auth'],
  verifyKey: ['gateway-ke', 'gateway-ug'],
}
