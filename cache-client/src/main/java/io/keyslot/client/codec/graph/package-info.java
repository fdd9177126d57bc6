// SPDX-License-Identifier: Apache-2.0
/** Values as graphs of objects, on top of Kryo: what {@code KryoCodec} writes and reads. */
@NullMarked
package io.keyslot.client.codec.graph;

import org.jspecify.annotations.NullMarked;
