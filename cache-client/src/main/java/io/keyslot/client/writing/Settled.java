// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.writing;

import java.util.Set;

/**
 * The outcome of a batch: how many changes were written, failed and wait again (or were replaced by a later change), or
 * failed for the last time, and the keys whose entry may differ from what was written.
 */
record Settled<K>(int written, int retried, int dropped, Set<K> outdated) {}
