-- Whether the payer of money from the menu typed an account number, which a payment to a till has not. Absent of money that a
-- prompt brought, and of what came before this was kept.
ALTER TABLE suspense_items ADD COLUMN has_account_number BOOLEAN;
