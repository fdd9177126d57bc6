// SPDX-License-Identifier: Apache-2.0
/** Single entries: reads and atomic changes by stamp, expiry rules, events of this process and statistics. */
@NullMarked
package io.keyslot.client.entry;

import org.jspecify.annotations.NullMarked;
