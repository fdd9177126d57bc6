// SPDX-License-Identifier: Apache-2.0
/** Entries that every partition has a copy of. */
@NullMarked
package io.keyslot.client.replica;

import org.jspecify.annotations.NullMarked;
