// SPDX-License-Identifier: Apache-2.0
/** Caches whose values stand alone under their keys, so that other programs read and write them. */
@NullMarked
package io.keyslot.client.raw;

import org.jspecify.annotations.NullMarked;
