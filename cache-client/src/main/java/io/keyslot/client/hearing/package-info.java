// SPDX-License-Identifier: Apache-2.0
/** Connections by which partitions tell which keys have changed. */
@NullMarked
package io.keyslot.client.hearing;

import org.jspecify.annotations.NullMarked;
