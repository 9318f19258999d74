-- Attempts whose money is held, of which there are few: a merchant asks for his among all that he was ever paid.
CREATE INDEX intents_held ON intents (checkout_id)
    WHERE disposition IN ('suspense_duplicate', 'suspense_mismatch', 'suspense_unmatched');
