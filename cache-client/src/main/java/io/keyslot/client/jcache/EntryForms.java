// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.entry.Lifetimes;
import io.keyslot.client.entry.ValueCoder;

/** Converts values of a cache to entries: their bytes, expiry and freshness. */
record EntryForms<V>(ValueCoder<V> coder, ExpiryRules rules, Lifetimes lifetimes) {}
