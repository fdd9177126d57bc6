// SPDX-License-Identifier: Apache-2.0
/** Stored formats as immutable values: keys, envelopes, aggregates and their operations, fences. */
@NullMarked
package io.keyslot.client.stored;

import org.jspecify.annotations.NullMarked;
