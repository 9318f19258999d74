-- A callback is compared with what was reported for its receipt before.
CREATE INDEX pay_bill_reports_receipt_idx ON pay_bill_reports (receipt);
