// SPDX-License-Identifier: Apache-2.0
/** Values as graphs of objects, based on Kryo, for {@code KryoCodec}, and the classes that bytes may name. */
@NullMarked
package io.keyslot.client.codec.graph;

import org.jspecify.annotations.NullMarked;
