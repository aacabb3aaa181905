/// A column of an answer: one of a table, or one that a statement names with AS. Each is spelled as in SQL.
///
/// As a coding key it has its name as text, without a second spelling that could differ.
package enum SQLColumn: Int, CaseIterable, CodingKey {
    // Of the tables of records.
    case account_key, action, actor, address, admin_token, app_id, app_version, at_us, audience
    case baseline_sha256, baseline_version, body, browser, bucket, bundle_ids
    case candidate_sha256, candidate_version, changed_day, cleaned_day, client_id, client_secret_hash, conditions
    case content_type, contract, contract_check, count, crc32c, created_by, created_us
    case day, description, detail, details, device, devices, display_name
    case earlier_shift, email, ended_us, ends_us, event, experiment, exposed_us
    case facts, fid, figures, file_name, finished_us, guarding, has_ended
    case id, image_set, images, installation, installation_hash_key, installations
    case is_operator, is_provisional, is_published, is_read_only, is_running, kind
    case label, last, metric, minutes, model, moved_by, moved_us
    case name, namespace, newest_version, note, number, observations, origin, outside
    case paused_us, project, public_key_pem, publish_when_validated
    case received_bytes, rehearsal_check, rehearsal_gate, release, released_version, requested_us, retired_us, revision
    case role, rollback_source, row_count, secret, secret_hash, server, session, sha256, share, shift, size_bytes
    case source_uri, stages, start, subject, sum, summary, system, tags, tests, total_bytes, touched_us
    case updated_us, used_us, value, variant, variants, verdict, verdict_message, version

    // What statements compute.
    case counted, found, length, mean_squares, means, models, nonzero, published, squares
    case rows_in_first, rows_in_second, rows_in_third, shift_in_first, shift_in_second, shift_in_third

    // What engines say about themselves.
    case column_name, data_type, folder, granted, is_known, is_server, lock, mark, old_mark, old_revision
    case oldest_program, parent, pid, pk, step, table, table_name, type, usename
}
