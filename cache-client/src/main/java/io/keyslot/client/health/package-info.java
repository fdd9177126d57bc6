// SPDX-License-Identifier: Apache-2.0
/** Whether a partition answers, and which keys must be deleted before it is read again. */
@NullMarked
package io.keyslot.client.health;

import org.jspecify.annotations.NullMarked;
