// SPDX-License-Identifier: Apache-2.0
/** When entries expire, and how long they are fresh. */
@NullMarked
package io.keyslot.client.expiry;

import org.jspecify.annotations.NullMarked;
