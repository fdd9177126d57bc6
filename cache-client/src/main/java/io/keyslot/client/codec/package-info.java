// SPDX-License-Identifier: Apache-2.0
/** How values become bytes: Kryo behind an allow list, text, bytes, and Java serialization on request. */
@NullMarked
package io.keyslot.client.codec;

import org.jspecify.annotations.NullMarked;
