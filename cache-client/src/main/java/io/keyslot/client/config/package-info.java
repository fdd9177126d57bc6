// SPDX-License-Identifier: Apache-2.0
/**
 * Settings: {@code keyslot.yaml}, the manager's URI and Properties become immutable options, and every problem is
 * reported at once. Start with {@link io.keyslot.client.config.read.ConfigurationLoader}.
 */
@NullMarked
package io.keyslot.client.config;

import org.jspecify.annotations.NullMarked;
