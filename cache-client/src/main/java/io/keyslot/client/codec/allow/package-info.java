// SPDX-License-Identifier: Apache-2.0
/** The classes that a codec may write, and may load because bytes name them. */
@NullMarked
package io.keyslot.client.codec.allow;

import org.jspecify.annotations.NullMarked;
