// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

/** What a report is for: people, or programs. */
enum OutputForm {
    TABLE,
    JSON
}
