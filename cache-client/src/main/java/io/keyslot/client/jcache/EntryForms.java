// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.jcache;

import io.keyslot.client.entry.ExpiryRules;
import io.keyslot.client.entry.Lifetimes;
import io.keyslot.client.entry.ValueCoder;

/** How values of a cache become entries: their bytes, and how long they live. */
record EntryForms<V>(ValueCoder<V> coder, ExpiryRules rules, Lifetimes lifetimes) {}
