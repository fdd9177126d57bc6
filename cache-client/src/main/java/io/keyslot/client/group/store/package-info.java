// SPDX-License-Identifier: Apache-2.0
/** How a group is stored and reached: its keys, its calls, and the forms of its values. */
@NullMarked
package io.keyslot.client.group.store;

import org.jspecify.annotations.NullMarked;
