// SPDX-License-Identifier: Apache-2.0
/** What a partition stores, as bytes and values: keys, envelopes, aggregates with what can be done to them, fences; pure. */
@NullMarked
package io.keyslot.client.stored;

import org.jspecify.annotations.NullMarked;
