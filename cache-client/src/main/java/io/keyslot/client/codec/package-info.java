// SPDX-License-Identifier: Apache-2.0
/** Codecs: Kryo with an allow list, JSON, text, bytes, and Java serialization on request. */
@NullMarked
package io.keyslot.client.codec;

import org.jspecify.annotations.NullMarked;
