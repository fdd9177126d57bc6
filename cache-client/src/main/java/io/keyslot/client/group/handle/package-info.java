// SPDX-License-Identifier: Apache-2.0
/** What an application holds of a group: its aggregates and entries, however they are reached. */
@NullMarked
package io.keyslot.client.group.handle;

import org.jspecify.annotations.NullMarked;
