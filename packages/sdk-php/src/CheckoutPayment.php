<?php

declare(strict_types=1);

namespace Malipo;

final class CheckoutPayment
{
    /**
     * @param 'created'|'reserved'|'submitted'|'pending'|'completed'|'failed'|'expired'|'reversed' $status
     * @param ?string $amount_settled minor units that were received; null until money came
     * @param string $phone digits with the country code; empty for a card payer who gave none
     */
    public function __construct(
        public readonly string $intent_id,
        public readonly string $status,
        public readonly ?string $amount_settled,
        public readonly ?string $provider_receipt,
        public readonly string $phone,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     * @throws \TypeError when a field is missing or of another type
     */
    public static function of(array $data): self
    {
        return new self(
            $data['intent_id'] ?? null,
            $data['status'] ?? null,
            $data['amount_settled'] ?? null,
            $data['provider_receipt'] ?? null,
            $data['phone'] ?? null,
        );
    }
}
